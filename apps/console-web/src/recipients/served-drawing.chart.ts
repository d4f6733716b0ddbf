import {
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  DoughnutController,
  Legend,
  LinearScale,
  Title,
  Tooltip,
} from 'chart.js';

Chart.register(
  ...[ArcElement, BarController, BarElement, CategoryScale, DoughnutController],
  ...[Legend, LinearScale, Title, Tooltip],
);

/** A configuration as the API serves it. */
export interface Served {
  readonly type: 'doughnut' | 'bar';
  readonly labels: readonly string[];
  readonly datasets: readonly {
    readonly label: string;
    readonly data: readonly number[];
    readonly backgroundColor?: readonly string[];
  }[];
  readonly options: object;
}

/** @returns what takes the drawing away again */
export function draw(canvas: HTMLCanvasElement, { type, labels, datasets, options }: Served): () => void {
  const ink = getComputedStyle(canvas).color;
  Chart.defaults.color = ink;
  // Copies: the library writes into what it is given.
  const data = {
    labels: [...labels],
    datasets: datasets.map(({ label, data: values, backgroundColor = [] }) => ({
      ...{ label, data: [...values], backgroundColor: [...backgroundColor] },
    })),
  };
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const chart = new Chart(canvas, {
    type,
    data,
    options: { ...structuredClone(options), maintainAspectRatio: false, ...(still && { animation: false }) },
  });
  return () => chart.destroy();
}
