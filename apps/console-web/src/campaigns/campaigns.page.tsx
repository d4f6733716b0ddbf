import type { CampaignList } from '@outcomes/contracts';
import { Link } from '@tanstack/react-router';
import { usePageOf } from '../api/console.query';
import { usePlace } from '../api/place.query';
import { PagedPanel, usePages } from '../shell/paged.panel';
import { TrustLine } from '../shell/trust.panel';
import { dayOf, rate, whole } from '../words.format';

const STATUS_WORDS = {
  insufficient_data: 'unknown: too little data',
  healthy: 'healthy',
  watch: 'watch',
  critical: 'critical',
} as const;

/** Campaigns with their health, page by page. */
export function CampaignsPage() {
  const { company } = usePlace();
  const pages = usePages();
  const campaigns = usePageOf<CampaignList>(company, `intelligence/campaigns?${pages.query(20)}`);
  return (
    <>
      <h1>Campaigns</h1>
      <PagedPanel title="Health of the last 30 days" pages={pages} query={campaigns} height={320}>
        {(answer) => (
          <>
            <TrustLine answer={answer} />
            {answer.campaigns.length === 0 ? (
              <p>There are no campaigns yet.</p>
            ) : (
              <CampaignTable company={company} answer={answer} />
            )}
          </>
        )}
      </PagedPanel>
    </>
  );
}

function CampaignTable({ company, answer }: { readonly company: string; readonly answer: CampaignList }) {
  return (
    <div className="wide" tabIndex={0} role="region" aria-label="Campaigns">
      <table>
        <caption>{countOf(answer)}, in order of their id</caption>
        <thead>
          <tr>
            {['Campaign', 'Status', 'Reply rate (95 %)', 'Settled messages', 'First (UTC)', 'Last (UTC)'].map(
              (title) => (
                <th key={title}>{title}</th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {answer.campaigns.map(({ campaign_id, status, sample_size, reply_rate, ...sent }) => (
            <tr key={campaign_id}>
              <td>
                <Link to="/c/$company/campaigns/$campaign" params={{ company, campaign: campaign_id }}>
                  {campaign_id}
                </Link>
              </td>
              <td>{STATUS_WORDS[status]}</td>
              <td>{rate(reply_rate)}</td>
              <td className="number">{whole(sample_size)}</td>
              <td>{dayOf(sent.first_sent_at)}</td>
              <td>{dayOf(sent.last_sent_at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The count in the words of the answer, which says "More than" where no more were counted. */
const countOf = ({ summary }: CampaignList) => summary.split(/[,.] /, 1)[0];
