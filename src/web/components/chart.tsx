import type { JSX } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { axisInstant } from '../../research/report/formats.ts';
import type { Line } from './lines.ts';
import { ThemeVersion } from './theme.tsx';
import { type Span, zoomed, type Zoom } from './zoom.ts';

interface ChartProps {
  readonly title: string;
  /** Wall-clock seconds, ascending. */
  readonly atS: readonly number[];
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  /** The places of two lines between which the chart is filled. */
  readonly band?: readonly [upper: number, lower: number];
}

/** Lines differ by their dashes, too: colour alone tells nothing. */
const DASHES: readonly number[][] = [[], [8, 4], [2, 3]];
const [AXIS_PX, LINE_PX, MARK_PX, LEGEND_PX] = [64, 1.5, 8, 24];

/**
 * Lines over time (UTC) that hold their value until the next point. Drag to zoom, double click for all; the buttons do the same. Its height is
 * that of its place.
 */
export function Chart({ title, atS, lines, format, band }: ChartProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const version = useContext(ThemeVersion);
  const data = [[...atS], ...lines.map(({ values }) => [...values])] as uPlot.AlignedData;
  const latest = useRef(data);
  latest.current = data;
  const names = lines.map(({ name }) => name).join('\n');
  useEffect(() => {
    const box = place.current;
    if (box === null) return undefined;
    const drawn = new uPlot(optionsOf(box, lines, format, band), latest.current, box);
    plot.current = drawn;
    const observer = new ResizeObserver(() => drawn.setSize(sizeOf(box)));
    observer.observe(box);
    return () => {
      observer.disconnect();
      drawn.destroy();
      plot.current = null;
    };
  }, [names, format, version]);
  useEffect(() => {
    const drawn = plot.current;
    if (drawn === null) return;
    drawn.setData(latest.current, !isZoomed(drawn));
    // While no pointer is over the chart, its legend has the latest values.
    if ((drawn.cursor.idx ?? null) === null) drawn.setLegend({ idx: atS.length - 1 }, false);
  }, [atS, lines]);
  const zoom = (how: Zoom): void => zoomPlot(plot.current, atS, how);
  return (
    <section class="chart panel" aria-label={title}>
      <div class="chart-head">
        <h3>{title}</h3>
        {ZOOMS.map(([how, name, mark]) => (
          <button type="button" aria-label={`${title}: ${name}`} title={name} onClick={() => zoom(how)}>
            {mark}
          </button>
        ))}
      </div>
      <div class="plot" ref={place} />
    </section>
  );
}

const ZOOMS: readonly (readonly [how: Zoom, name: string, mark: string])[] = [
  ['in', 'zoom in', '+'],
  ['out', 'zoom out', '−'],
  ['earlier', 'earlier', '◀'],
  ['later', 'later', '▶'],
  ['all', 'all', 'all'],
];

/** Whether a person looks at a part: then new points do not move it. */
function isZoomed({ scales, data }: uPlot): boolean {
  const { min, max } = scales['x'] ?? {};
  const [first, last] = [data[0][0], data[0].at(-1)];
  if (min === undefined || max === undefined || first === undefined || last === undefined) return false;
  return min > first || max < last;
}

function zoomPlot(plot: uPlot | null, atS: readonly number[], how: Zoom): void {
  const { min, max } = plot?.scales['x'] ?? {};
  const [first, last] = [atS[0], atS.at(-1)];
  if (plot === null || min === undefined || max === undefined) return;
  if (first === undefined || last === undefined) return;
  const shown: Span = { min, max };
  plot.setScale('x', zoomed(shown, { min: first, max: last }, how));
}

const sizeOf = (box: HTMLElement): { readonly width: number; readonly height: number } => ({
  width: box.clientWidth,
  height: box.clientHeight - LEGEND_PX,
});

function optionsOf(
  box: HTMLElement,
  lines: readonly Line[],
  format: (value: number) => string,
  band: ChartProps['band'],
): uPlot.Options {
  const styles = getComputedStyle(box);
  const colour = (name: string): string => resolved(box, styles, name);
  const axis: uPlot.Axis = {
    stroke: colour('--quiet'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
  };
  return {
    ...sizeOf(box),
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
    ...(band === undefined
      ? {}
      : { bands: [{ series: [band[0] + 1, band[1] + 1], fill: colour('--band') }] }),
    series: [
      { label: 'UTC', value: '{YYYY}-{MM}-{DD} {HH}:{mm}:{ss}' },
      ...lines.map((line, at) => seriesOf(line, at, colour(`--series-${(at % 3) + 1}`), format)),
    ],
  };
}

function seriesOf(
  { name, isMarks }: Line,
  at: number,
  stroke: string,
  format: (value: number) => string,
): uPlot.Series {
  const paths = isMarks === true ? () => null : uPlot.paths.stepped?.({ align: 1 });
  return {
    label: name,
    stroke,
    width: LINE_PX,
    dash: DASHES[(at + Math.floor(at / DASHES.length)) % DASHES.length] ?? [],
    points: isMarks === true ? { show: true, size: MARK_PX, fill: stroke } : { show: false },
    value: (_plot, value: number | null) => (value === null ? '–' : format(value)),
    ...(paths === undefined ? {} : { paths }),
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
