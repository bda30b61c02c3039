// What stands side by side, and in the address.
((box, sides) => [box.hidden ? '' : box.innerText.split('\n')[0], sides.hidden ? '' : sides.querySelectorAll('tr').length > 8,
    [...document.querySelectorAll('#list input:checked')].map(i => i.dataset.path),
    document.querySelectorAll('#list tr.chosen').length, location.search].join('; '))(
    ...['choice', 'compared'].map(id => document.getElementById(id)))
