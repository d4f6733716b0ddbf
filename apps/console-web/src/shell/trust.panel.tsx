import type { ResultFrame, Trust } from '@outcomes/contracts';
import { momentOf } from '../words.format';

/** Whether to act on the numbers, and of when they are. */
export function TrustLine({ answer }: { readonly answer: ResultFrame & Trust }) {
  const { posteriors_trustworthy, recommended_action, data_as_of } = answer;
  return (
    <>
      <p className="quiet">Data up to {momentOf(data_as_of)}.</p>
      {!posteriors_trustworthy && <p>Do not act on this yet: {recommended_action}</p>}
    </>
  );
}
