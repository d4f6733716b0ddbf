/** In place of a page that cannot be drawn: the others go on. */
export function BrokenPage() {
  return (
    <section className="panel" role="alert">
      <h1>This page could not be displayed</h1>
      <p>The error is ours. Other pages still work; reloading this one may help.</p>
      <button onClick={() => location.reload()}>Load again</button>
    </section>
  );
}
