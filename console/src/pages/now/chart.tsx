import type { Minute } from '@carillon/client';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTheme } from '../../shell/theme';
import { text } from '../../text/text';

const HEIGHT = 190;

/** The colours of the theme: a canvas knows no custom properties. */
const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const dataOf = (minutes: Minute[]): uPlot.AlignedData => [
  minutes.map(({ minute }) => Date.parse(minute) / 1000),
  // A minute without triggers has no bar, rather than one of no height.
  minutes.map(({ triggers }) => triggers || null),
];

function optionsOf(width: number): uPlot.Options {
  const axis = { stroke: colour('--soft'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      // Half a minute on both sides, so that no bar is cut.
      x: { range: (_, first, last) => [first - 45, last + 45] },
      y: { range: (_, _least, most) => [0, Math.max(4, Math.ceil(most * 1.1))] },
    },
    axes: [
      { ...axis, grid: { show: false }, values: '{HH}:{mm}', space: 70, size: 30 },
      { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] },
    ],
    series: [
      {},
      {
        label: text.now.triggers,
        fill: colour('--accent'),
        stroke: colour('--accent'),
        paths: uPlot.paths.bars!({ size: [0.7, 14], radius: 0.15 }),
        points: { show: false },
      },
    ],
  };
}

/** Bars, one a minute. It is drawn anew when the theme or the width changes. */
export function Chart({ minutes }: { minutes: Minute[] }) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(minutes);
  const { theme } = useTheme();
  useEffect(() => {
    const target = box.current!;
    const drawn = new uPlot(optionsOf(target.clientWidth), dataOf(latest.current), target);
    plot.current = drawn;
    const watch = new ResizeObserver(() => drawn.setSize({ width: target.clientWidth, height: HEIGHT }));
    watch.observe(target);
    return () => {
      watch.disconnect();
      drawn.destroy();
    };
  }, [theme]);
  useEffect(() => {
    latest.current = minutes;
    plot.current?.setData(dataOf(minutes));
  }, [minutes]);
  return <div ref={box} />;
}
