// How many runs the list shows, of how many, and how many profiles have their strip and their charts.
[document.querySelectorAll('#list tbody tr').length, document.getElementById('found').textContent,
 document.querySelectorAll('.of-profile:not([hidden])').length].join()
