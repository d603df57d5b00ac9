import type { JSX } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { axisInstant } from '../../research/report/formats.ts';
import { ThemeVersion } from './theme.tsx';
import { type Span, zoomed, type Zoom } from './zoom.ts';

/** A line of a chart. */
export interface Line {
  readonly name: string;
  /** One value for each instant; null leaves a gap. */
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  readonly title: string;
  /** Wall-clock seconds, ascending. */
  readonly atS: readonly number[];
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
}

const HEIGHT_PX = 200;
const AXIS_PX = 64;
/** Lines differ by their dashes, too: colour alone tells nothing. */
const DASHES: readonly number[][] = [[], [8, 4], [2, 3]];

/** Lines over time (UTC) that hold their value until the next point. Drag to zoom, double click for all; the buttons do the same. */
export function Chart({ title, atS, lines, format }: ChartProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const version = useContext(ThemeVersion);
  useEffect(() => {
    const box = place.current;
    if (box === null) return undefined;
    const data = [[...atS], ...lines.map(({ values }) => [...values])] as uPlot.AlignedData;
    const drawn = new uPlot(optionsOf(box, lines, format), data, box);
    plot.current = drawn;
    const observer = new ResizeObserver(() => drawn.setSize({ width: box.clientWidth, height: HEIGHT_PX }));
    observer.observe(box);
    return () => {
      observer.disconnect();
      drawn.destroy();
      plot.current = null;
    };
  }, [atS, lines, format, version]);
  const zoom = (how: Zoom): void => zoomPlot(plot.current, atS, how);
  return (
    <section class="chart" aria-label={title}>
      <h3>{title}</h3>
      <div ref={place} />
      <div class="bar">
        {ZOOMS.map(([how, name]) => (
          <button type="button" aria-label={`${title}: ${name}`} onClick={() => zoom(how)}>
            {name}
          </button>
        ))}
      </div>
    </section>
  );
}

const ZOOMS: readonly (readonly [Zoom, string])[] = [
  ['in', 'zoom in'],
  ['out', 'zoom out'],
  ['earlier', 'earlier'],
  ['later', 'later'],
  ['all', 'all'],
];

function zoomPlot(plot: uPlot | null, atS: readonly number[], how: Zoom): void {
  const { min, max } = plot?.scales['x'] ?? {};
  const [first, last] = [atS[0], atS.at(-1)];
  if (plot === null || min === undefined || max === undefined) return;
  if (first === undefined || last === undefined) return;
  const shown: Span = { min, max };
  plot.setScale('x', zoomed(shown, { min: first, max: last }, how));
}

function optionsOf(
  box: HTMLElement,
  lines: readonly Line[],
  format: (value: number) => string,
): uPlot.Options {
  const styles = getComputedStyle(box);
  const colour = (name: string): string => resolved(box, styles, name);
  const axis: uPlot.Axis = {
    stroke: colour('--quiet'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
  };
  return {
    width: box.clientWidth,
    height: HEIGHT_PX,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: { drag: { x: true, y: false } },
    axes: [
      {
        ...axis,
        values: (_plot, splits, _axis, _space, stepS) =>
          splits.map((atS, at) => axisInstant(atS, stepS, at === 0)),
      },
      { ...axis, size: AXIS_PX, values: (_plot, splits) => splits.map((value) => format(value)) },
    ],
    series: [
      { label: 'UTC', value: '{YYYY}-{MM}-{DD} {HH}:{mm}:{ss}' },
      ...lines.map(({ name }, at): uPlot.Series => {
        const paths = uPlot.paths.stepped?.({ align: 1 });
        return {
          label: name,
          stroke: colour(`--series-${(at % 3) + 1}`),
          width: 1.5,
          dash: DASHES[at % DASHES.length] ?? [],
          points: { show: false },
          value: (_plot, value: number | null) => (value === null ? '–' : format(value)),
          ...(paths === undefined ? {} : { paths }),
        };
      }),
    ],
  };
}

/** A colour as a canvas understands it: `light-dark()` is resolved by an element that uses it. */
function resolved(box: HTMLElement, styles: CSSStyleDeclaration, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  box.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color === '' ? styles.color : color;
}
