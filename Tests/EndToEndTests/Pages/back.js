// The address before the way back, and after it how many runs the list shows, of how many, by which filters.
new Promise(done => {
    const before = location.search + location.hash;
    const filters = () => [document.querySelectorAll('#list tbody tr').length, document.getElementById('found').textContent,
        [...document.querySelectorAll('#filters select, #filters input')].map(f => f.value).join(' ') + location.search].join();
    addEventListener('popstate', () => setTimeout(() => done(before + ' ' + filters())));
    history.back();
})
