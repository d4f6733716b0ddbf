import type { UndecidedCodes } from '@outcomes/contracts';
import { Link } from '@tanstack/react-router';
import { plain } from '../words.format';
import { patternTitle } from './pattern-title.format';

interface Props {
  readonly company: string;
  readonly undecided: readonly UndecidedCodes[];
}

/** No silence without its reason. */
export function WhyNotYet({ company, undecided }: Props) {
  return (
    <section className="panel">
      <h2>Why not yet</h2>
      {undecided.length === 0 && <p>Something is claimed about every pattern with messages.</p>}
      {undecided.map(({ reason, message, codes }) => (
        <div key={reason}>
          <p>{plain(message)}</p>
          <ul>
            {codes.map((code) => (
              <li key={code}>
                <Link to="/c/$company/findings/$code" params={{ company, code }}>
                  {patternTitle(code)}
                </Link>{' '}
                ({code})
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
