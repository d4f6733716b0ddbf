import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';

interface Props {
  /** What the chart shows, in a sentence. */
  readonly sentence: string;
  readonly height: number;
  /** Draws for a width in pixels: letters keep their size on a narrow screen. */
  readonly children: (width: number) => ReactNode;
  /** The same numbers, for whoever reads them; left out where they stand in a table below several drawings. */
  readonly table?: ReactNode;
}

const FIRST_WIDTH = 640;

/** A drawing as wide as its place, said in a sentence, with its numbers as a table. */
export function ChartFrame({ sentence, height, children, table }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(FIRST_WIDTH);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? FIRST_WIDTH)),
    );
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <div ref={place}>
        <svg width={width} height={height} role="img" aria-label={sentence}>
          {children(width)}
        </svg>
      </div>
      {table !== undefined && (
        <details>
          <summary>Show as a table</summary>
          <div className="wide" tabIndex={0} role="region" aria-label="Numbers of the chart">
            {table}
          </div>
        </details>
      )}
    </>
  );
}
