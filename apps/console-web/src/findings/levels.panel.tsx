import { METRICS, PATTERN_CATALOGUE, type AnalysisRecord } from '@outcomes/contracts';
import { useAnswer } from '../api/console.query';
import { AnswerPanel } from '../shell/answer.panel';
import { LevelsChart, type Level } from './levels.chart';

interface Props {
  readonly company: string;
  readonly code: string;
}

/** The levels of the dimension that a pattern is one of, as they are: rates, without a comparison. */
export function LevelsPanel({ company, code }: Props) {
  const dimension = PATTERN_CATALOGUE.find((pattern) => pattern.code === code)?.dimension;
  const metric = METRICS.find(({ dimensions }) => dimensions.some((name) => name === dimension));
  if (dimension === undefined || !metric) return null;
  return <Levels company={company} code={code} dimension={dimension} metric={metric.metricName} />;
}

function Levels({
  company,
  code,
  dimension,
  metric,
}: Props & { readonly dimension: string; readonly metric: string }) {
  const record = useAnswer<AnalysisRecord>(company, `patterns/chunks/${metric}`);
  const hasNone =
    record.error !== null && 'code' in record.error && record.error.code === 'METRIC_HAS_NO_DATA';
  if (hasNone)
    return (
      <section className="panel">
        <h2>Reply rate by level</h2>
        <p>{METRICS.find(({ metricName }) => metricName === metric)?.missing}</p>
      </section>
    );
  return (
    <AnswerPanel title="Reply rate by level" query={record} height={240}>
      {({ data }) => {
        const levels = levelsIn(data.analyses[dimension]);
        if (levels.length === 0) return <p>No message shows its level.</p>;
        return (
          <>
            <p className="quiet">
              Of all messages, whoever got them: a higher rate here is no finding. What holds within campaigns
              is above.
            </p>
            <LevelsChart levels={levels} code={code} />
          </>
        );
      }}
    </AnswerPanel>
  );
}

function levelsIn(analysis: unknown): readonly Level[] {
  const { levels = [] } = (analysis ?? {}) as { readonly levels?: readonly Level[] };
  return levels.filter(({ reply_rate }) => reply_rate.value !== null);
}
