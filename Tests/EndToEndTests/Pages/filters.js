// How many runs the list shows, of how many, by which filters and which address.
[document.querySelectorAll('#list tbody tr').length, document.getElementById('found').textContent,
 [...document.querySelectorAll('#filters select, #filters input')].map(f => f.value).join(' ') + location.search].join()
