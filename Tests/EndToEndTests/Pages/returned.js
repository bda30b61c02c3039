// What stands side by side before the way back, and after it.
new Promise(done => {
    const sides = () => ((box, sides) => [box.hidden ? '' : box.innerText.split('\n')[0],
        sides.hidden ? '' : sides.querySelectorAll('tr').length > 8,
        [...document.querySelectorAll('#list input:checked')].map(i => i.dataset.path), location.search + location.hash].join('; '))(
        ...['choice', 'compared'].map(id => document.getElementById(id)));
    const before = sides();
    addEventListener('popstate', () => setTimeout(() => done(before + ' | ' + sides())));
    history.back();
})
