import type { ChartConfiguration } from '@outcomes/contracts';
import { useEffect, useRef } from 'react';
import { whole } from '../words.format';
import type { Served } from './served-drawing.chart';

/** A chart as the API serves it, drawn by the library that the configuration is for, with its numbers as a table. */
export function ServedChart({ configuration }: { readonly configuration: ChartConfiguration }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const served = isDrawable(configuration) ? configuration : undefined;
  useEffect(() => {
    const place = canvas.current;
    if (!served || !place) return;
    let remove: (() => void) | undefined;
    let isGone = false;
    // The library is fetched with the first chart.
    void import('./served-drawing.chart').then(({ draw }) => {
      if (!isGone) remove = draw(place, served);
    });
    return () => {
      isGone = true;
      remove?.();
    };
  }, [served]);
  const [series] = served?.datasets ?? [];
  if (!served || !series) return null;
  return (
    <>
      <div className="served-chart">
        <canvas ref={canvas} role="img" aria-label={`${series.label}, ${served.labels.length} values.`} />
      </div>
      <details>
        <summary>Show as a table</summary>
        <table>
          <caption>{series.label}</caption>
          <tbody>
            {served.labels.map((label, at) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td className="number" data-served={series.data[at]}>
                  {whole(series.data[at] ?? 0)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

const isDrawable = (configuration: object): configuration is Served => 'datasets' in configuration;
