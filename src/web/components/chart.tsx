import type { JSX } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { timeOfDay } from '../../lib/formats.ts';
import 'uplot/dist/uPlot.min.css';
import { saveFile } from '../adapters/save-file.ts';
import { csvOfLines, type Line, type Stretch } from './lines.ts';
import { pngOf } from './picture.ts';
import { drawnPlot, type Drawing, resolved, sizeOf } from './plot.ts';
import { useZoom } from './shared-zoom.tsx';
import { ThemeVersion } from './theme.tsx';
import { type Span, zoomed, type Zoom } from './zoom.ts';

interface ChartProps extends Drawing {
  readonly title: string;
  /** Wall-clock seconds, ascending. */
  readonly atS: readonly number[];
  /** Shaded, as when nothing can be traded. */
  readonly shades?: readonly Stretch[];
}

/**
 * Lines over time (UTC) that hold their value until the next point. Drag to zoom, double click for all; the buttons do the same. Its height is
 * that of its place.
 */
export function Chart(props: ChartProps): JSX.Element {
  const { title, atS, lines } = props;
  const { span, choose } = useZoom();
  const { place, plot } = usePlot(props, span, choose);
  return (
    <section class="chart panel" aria-label={title}>
      <div class="chart-head">
        <h3>{title}</h3>
        {span === null ? null : (
          <span class="quiet zoomed">
            {timeOf(span.min)} – {timeOf(span.max)}
          </span>
        )}
        {ZOOMS.map(([how, name, mark]) => (
          <button
            type="button"
            aria-label={`${title}: ${name}`}
            title={name}
            onClick={() => choose(spanAfter(plot.current, atS, how))}
          >
            {mark}
          </button>
        ))}
        <button
          type="button"
          aria-label={`${title}: PNG`}
          onClick={() => void savePicture(title, place.current, plot.current)}
        >
          PNG
        </button>
        <button
          type="button"
          aria-label={`${title}: CSV`}
          onClick={() => saveFile(fileOf(title, 'csv'), csvOfLines(atS, lines))}
        >
          CSV
        </button>
      </div>
      <div class="plot" ref={place} />
    </section>
  );
}

/** A plot in its place that follows its data, the zoom and the theme. */
function usePlot(props: ChartProps, span: Span | null, choose: (span: Span | null) => void) {
  const { atS, lines, format, shades = NO_SHADES } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const version = useContext(ThemeVersion);
  const latest = useRef({ atS, lines, shades, choose });
  latest.current = { atS, lines, shades, choose };
  /** A new plot has drawn the latest data. */
  const isNew = useRef(false);
  const names = lines.map(({ name }) => name).join('\n');
  useEffect(() => {
    const box = place.current;
    if (box === null) return undefined;
    const drawn = drawnPlot(box, dataOf(latest.current.atS, latest.current.lines), props, {
      shades: () => latest.current.shades,
      choose: (next) => latest.current.choose(next),
    });
    plot.current = drawn;
    isNew.current = true;
    const legend = box.querySelector<HTMLElement>('.u-legend');
    const observer = new ResizeObserver(() => drawn.setSize(sizeOf(box, legend)));
    observer.observe(box);
    if (legend !== null) observer.observe(legend);
    return () => {
      observer.disconnect();
      drawn.destroy();
      plot.current = null;
    };
  }, [names, format, version]);
  useEffect(() => {
    const drawn = plot.current;
    if (drawn === null) return;
    if (!isNew.current) drawn.setData(dataOf(atS, lines), span === null);
    isNew.current = false;
    if (span !== null) drawn.setScale('x', span);
    // While no pointer is over the chart, its legend has the latest values.
    if ((drawn.cursor.idx ?? null) === null) drawn.setLegend({ idx: atS.length - 1 }, false);
  }, [atS, lines, span, version]);
  return { place, plot };
}

/** The time of day in UTC. */
const timeOf = (seconds: number): string => timeOfDay(seconds * 1_000);

const NO_SHADES: readonly Stretch[] = [];

const dataOf = (atS: readonly number[], lines: readonly Line[]): uPlot.AlignedData =>
  [[...atS], ...lines.map(({ values }) => [...values])] as uPlot.AlignedData;

const ZOOMS: readonly (readonly [how: Zoom, name: string, mark: string])[] = [
  ['in', 'zoom in', '+'],
  ['out', 'zoom out', '−'],
  ['earlier', 'earlier', '◀'],
  ['later', 'later', '▶'],
  ['all', 'all', 'all'],
];

/** What a chart shows after a press of a button; null for everything. */
function spanAfter(
  plot: uPlot | null,
  atS: readonly number[],
  how: Zoom,
): { min: number; max: number } | null {
  const { min, max } = plot?.scales['x'] ?? {};
  const [first, last] = [atS[0], atS.at(-1)];
  if (min === undefined || max === undefined || first === undefined || last === undefined) return null;
  const next = zoomed({ min, max }, { min: first, max: last }, how);
  return next.min <= first && next.max >= last ? null : next;
}

/** A file's name of what a person reads. */
const fileOf = (title: string, ending: string): string =>
  `${title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.${ending}`;

async function savePicture(title: string, box: HTMLElement | null, plot: uPlot | null): Promise<void> {
  if (box === null || plot === null) return;
  const styles = getComputedStyle(box);
  const [text, page] = ['--text', '--page'].map((name) => resolved(box, styles, name)) as [string, string];
  const picture = await pngOf(plot.ctx.canvas, { title, font: styles.font, text, page });
  if (picture !== null) saveFile(fileOf(title, 'png'), picture);
}
