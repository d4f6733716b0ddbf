/** In place of a page that cannot be drawn: the others go on. */
export function BrokenPage() {
  return (
    <section className="panel" role="alert">
      <h1>This page could not be drawn</h1>
      <p>The fault is ours. The other pages go on; loading this one again may help.</p>
      <button onClick={() => location.reload()}>Load again</button>
    </section>
  );
}
