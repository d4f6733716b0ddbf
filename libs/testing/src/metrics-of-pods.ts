const GAUGE = /^# TYPE (\S+) gauge$/;
const SAMPLE = /^(([^#\s{]+)(?:\{.*\})?) (\S+)$/;

/**
 * What Prometheus says of a service, series by series: counters and histograms are summed over its pods, and of
 * gauges the largest is taken.
 * @param managementPorts - of every pod; of one alone the text is as it came
 * @throws Error where a pod does not answer with 200
 */
export async function metricsOfPods(managementPorts: readonly number[]): Promise<string> {
  const texts = await Promise.all(managementPorts.map(metricsOf));
  const [first = '', ...others] = texts;
  if (others.length === 0) return first;
  const gauges = new Set<string>();
  const values = new Map<string, number | undefined>();
  for (const line of texts.join('\n').split('\n')) {
    const [, gauge] = GAUGE.exec(line) ?? [];
    if (gauge !== undefined) gauges.add(gauge);
    const [, series, name = '', value] = SAMPLE.exec(line) ?? [];
    const known = series === undefined ? undefined : values.get(series);
    if (series === undefined) values.set(line, undefined);
    else if (known === undefined) values.set(series, Number(value));
    else values.set(series, gauges.has(name) ? Math.max(known, Number(value)) : known + Number(value));
  }
  return [...values].map(([line, value]) => (value === undefined ? line : `${line} ${value}`)).join('\n');
}

async function metricsOf(managementPort: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${managementPort}/metrics`);
  if (!answer.ok) throw new Error(`metrics: ${answer.status}`);
  return answer.text();
}
