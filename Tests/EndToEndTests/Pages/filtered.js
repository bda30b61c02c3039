// What a filter leaves of the verdict, the nights, the releases and the list.
[document.querySelector('#verdict dl').innerText.replaceAll('\n', ' '),
 [...document.querySelectorAll('#nights figure:not([hidden])')].map(f => f.innerText.split('\n')[0]
    + '/' + f.querySelector('svg svg').innerHTML.match(/night-[a-z]+|M/g)
    + '/' + f.querySelector('.plot').getAttribute('aria-valuetext')),
 [...document.querySelectorAll('#releases .of-profile:not([hidden])')].map(p =>
    p.querySelectorAll('.faint').length === p.querySelectorAll('figure').length
    && [...p.querySelector('.dots:not(.faint)').getAttribute('d')].filter(c => c === 'M').length
    + ' ' + [...p.querySelectorAll('tbody tr')].map(r => r.textContent)),
 document.getElementById('of-all').hidden, document.getElementById('found').textContent,
 location.search].join('; ')
