// What stands side by side, line by line, and what has the focus.
[...document.querySelectorAll('#choice-said, #compared-lead, #sides tr, #compared-commands'),
 document.activeElement].map(e => e.innerText.replace(/\s+/g, ' ').trim()).join('\n')
