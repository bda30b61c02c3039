// What the page says of runs as a whole, in one text.
JSON.stringify([
    ['#verdict dd', '#nights figcaption', '#releases figcaption', '#releases tbody tr'].map(
        all => [...document.querySelectorAll(all)].map(e => e.textContent)),
    ['#nights svg svg', '#releases svg svg'].map(
        all => [...document.querySelectorAll(all)].map(e => e.innerHTML)),
])
