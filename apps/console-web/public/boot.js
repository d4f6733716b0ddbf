// Its name does not change with a release, unlike those of the scripts: where one of them is gone, this says so.
addEventListener(
  'error',
  ({ target }) => {
    const waiting = document.querySelector('main[aria-busy="true"].still');
    if (!waiting || !(target instanceof HTMLScriptElement)) return;
    const reason = document.createElement('p');
    reason.textContent = 'The console could not be loaded. It may be changing to a new version.';
    const again = document.createElement('button');
    again.textContent = 'Load again';
    again.addEventListener('click', () => location.reload());
    waiting.setAttribute('aria-busy', 'false');
    waiting.setAttribute('role', 'alert');
    waiting.append(reason, again);
  },
  true,
);
