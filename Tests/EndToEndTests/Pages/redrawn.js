// How many drawings are gone, and how many tables were written by the script, after one filter and another.
(() => {
    const marks = () => [...document.querySelectorAll('#nights path, #releases path.dots')];
    const written = marks();
    const kept = () => written.filter(path => path.isConnected).length - written.length;
    const rows = () => [...document.querySelectorAll('#releases tbody')]
        .filter(body => body.firstChild.nodeType === 3 || body.childNodes.length > body.rows.length).length;
    const ask = (id, value) => {
        const field = document.getElementById(id);
        field.value = value;
        field.dispatchEvent(new Event('input'));
    };
    const said = [rows()];
    ask('f-profile', 'quick');
    said.push(kept(), rows());
    ask('f-profile', '');
    said.push(kept(), rows());
    ask('f-outcome', 'failed');
    said.push(kept() < 0, rows());
    return said.join();
})()
