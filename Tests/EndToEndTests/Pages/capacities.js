// What is said of the two that were chosen.
((said, sides) => said.textContent + (sides.hidden ? '' : sides.innerText))(
    ...['choice-said', 'compared'].map(id => document.getElementById(id)))
