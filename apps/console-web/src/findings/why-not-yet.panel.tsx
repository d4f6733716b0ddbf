import type { UndecidedCodes } from '@outcomes/contracts';
import { plain } from '../words.format';

/** No silence without its reason. */
export function WhyNotYet({ undecided }: { readonly undecided: readonly UndecidedCodes[] }) {
  return (
    <section className="panel">
      <h2>Why not yet</h2>
      {undecided.length === 0 && <p>Something is claimed about every pattern with messages.</p>}
      {undecided.map(({ reason, message, codes }) => (
        <div key={reason}>
          <h3>{codes.join(', ')}</h3>
          <p>{plain(message)}</p>
        </div>
      ))}
    </section>
  );
}
