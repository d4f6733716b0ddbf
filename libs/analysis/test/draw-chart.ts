import type { ChartConfiguration } from '@outcomes/contracts';
import { createCanvas } from '@napi-rs/canvas';
import { Chart, registerables, type ChartConfiguration as Drawable } from 'chart.js';

Chart.register(...registerables);

/** Draws a chart as a browser would and counts, per value, the pixels of its colour. */
export function paintedPixels(configuration: ChartConfiguration): { colour: string; pixels: number }[] {
  const { type, labels, datasets, options } = configuration as unknown as {
    type: 'bar' | 'doughnut';
    labels: string[];
    datasets: { data: number[]; backgroundColor: string[] }[];
    options: object;
  };
  const canvas = createCanvas(600, 400);
  const drawable = {
    type,
    data: { labels, datasets: structuredClone(datasets) },
    // A page animates and fits its frame; here the last picture is wanted at once.
    options: { ...structuredClone(options), animation: false, responsive: false, devicePixelRatio: 1 },
  } as Drawable;
  // The legend shows every colour, drawn or not: it would hide a missing value.
  drawable.options = {
    ...drawable.options,
    plugins: { ...drawable.options?.plugins, legend: { display: false } },
  };
  const chart = new Chart(canvas, drawable);
  const { data } = canvas.getContext('2d').getImageData(0, 0, 600, 400);
  chart.destroy();
  const counts = new Map<string, number>();
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4);
    if (alpha < 255) continue;
    const colour =
      `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`.toUpperCase();
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const colours = datasets.flatMap(({ backgroundColor }) => backgroundColor.slice(0, labels.length));
  return colours.map((colour) => ({ colour, pixels: counts.get(colour.toUpperCase()) ?? 0 }));
}
