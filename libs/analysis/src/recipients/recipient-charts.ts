import type { ChartConfiguration, RecipientAnalysis } from '@outcomes/contracts';
import { positionText } from '../documents/phrasing';

/** Colours that stay apart for colour-blind readers (Okabe and Ito), then darker ones: as many as there are slices. */
const PALETTE = [
  '#0072B2',
  '#E69F00',
  '#009E73',
  '#CC79A7',
  '#56B4E9',
  '#D55E00',
  '#F0E442',
  '#999999',
  '#332288',
  '#882255',
  '#117733',
  '#661100',
] as const;

/** Charts of the recipient analysis: Chart.js types, labels, datasets and options. */
export function recipientCharts(
  breakdown: RecipientAnalysis['position_breakdown'],
  confidence: { readonly high: number; readonly other: number },
  segments: RecipientAnalysis['segments'],
): RecipientAnalysis['charts'] {
  return {
    position_distribution: chart(
      'doughnut',
      'Recipients who answered, by position',
      breakdown.map(({ position, count }) => [positionText(position), count]),
    ),
    confidence_levels: chart('bar', 'Confidence in the position', [
      ['high', confidence.high],
      ['medium or low', confidence.other],
    ]),
    segment_sizes: chart(
      'bar',
      'Recipients per segment',
      segments.map(({ name, size }) => [name, size]),
    ),
  };
}

function chart(
  type: 'doughnut' | 'bar',
  title: string,
  slices: readonly (readonly [label: string, value: number])[],
): ChartConfiguration {
  if (slices.every(([, value]) => value === 0)) return {};
  return {
    type,
    labels: slices.map(([label]) => label),
    datasets: [
      {
        label: title,
        data: slices.map(([, value]) => value),
        backgroundColor: slices.map((_, index) => PALETTE[index % PALETTE.length]),
      },
    ],
    options: {
      responsive: true,
      plugins: { title: { display: true, text: title }, legend: { display: type === 'doughnut' } },
      ...(type === 'bar' && { scales: { y: { beginAtZero: true, ticks: { precision: 0 } } } }),
    },
  };
}
