// Whether a text of the result ran as a script or became an element.
[document.title.includes('owned') && !document.title.startsWith('Failed')
    || document.querySelectorAll('img, b b').length > 0
    || document.scripts.length !== document.querySelectorAll('.plot > script').length + 1].join()
