// How many runs the list shows, of how many.
[document.querySelectorAll('#list tbody tr').length, document.getElementById('found').textContent].join()
