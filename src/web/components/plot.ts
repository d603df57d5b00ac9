import uPlot from 'uplot';
import { axisInstant, PAGE } from '../../lib/formats.ts';
import type { Line, Stretch } from './lines.ts';
import type { Span } from './zoom.ts';

/** What a chart draws. */
export interface Drawing {
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  /** The places of two lines between which the chart is filled. */
  readonly band?: readonly [upper: number, lower: number];
  /** The ends of the axis of values. Default: as far as the values go. */
  readonly range?: readonly [least: number, most: number];
}

/** What a plot asks for while it is drawn, and tells when a person acts on it. */
interface Following {
  readonly shades: () => readonly Stretch[];
  readonly choose: (span: Span | null) => void;
}

/** Lines differ by their dashes, too: colour alone tells nothing. */
const DASHES: readonly number[][] = [[], [8, 4], [2, 3]];
const [AXIS_PX, LINE_PX, MARK_PX, LEGEND_PX, LABEL_PX] = [64, 1.5, 8, 24, 80];
/** A press that moves less is no zoom. */
const LEAST_DRAG_PX = 4;

/** The size of a picture in its place, which leaves room for its legend, however many rows that has; null while there is none yet. */
export const sizeOf = (
  box: Pick<HTMLElement, 'clientWidth' | 'clientHeight'>,
  legend: Pick<HTMLElement, 'offsetHeight'> | null,
): { readonly width: number; readonly height: number } => ({
  width: box.clientWidth,
  height: box.clientHeight - Math.max(LEGEND_PX, legend?.offsetHeight ?? 0),
});

/** Draws lines into a box. */
export function drawnPlot(
  box: HTMLElement,
  data: uPlot.AlignedData,
  { lines, format, band, range }: Drawing,
  following: Following,
): uPlot {
  const styles = getComputedStyle(box);
  const colour = (name: string): string => resolved(box, styles, name);
  const axis: uPlot.Axis = {
    stroke: colour('--quiet'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
  };
  const shade = colour('--shade');
  const options: uPlot.Options = {
    ...sizeOf(box, null),
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: {
      drag: { x: true, y: false, setScale: false },
      bind: { dblclick: () => () => showAll(following) },
    },
    hooks: {
      // Until a pointer comes, the legend has the latest values.
      ready: [(plot) => plot.setLegend({ idx: plot.data[0].length - 1 }, false)],
      setSelect: [(plot) => choosePart(plot, following.choose)],
      drawClear: [(plot) => shadeParts(plot, following.shades(), shade)],
    },
    ...(range === undefined ? {} : { scales: { y: { range: [...range] } } }),
    axes: [
      {
        ...axis,
        space: LABEL_PX,
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
  return new uPlot(options, data, box);
}

function showAll({ choose }: Following): null {
  choose(null);
  return null;
}

/** A dragged part becomes what is shown. */
function choosePart(plot: uPlot, choose: Following['choose']): void {
  const { left, width } = plot.select;
  if (width < LEAST_DRAG_PX) return;
  choose({ min: plot.posToVal(left, 'x'), max: plot.posToVal(left + width, 'x') });
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}

function shadeParts(plot: uPlot, shades: readonly Stretch[], colour: string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.fillStyle = colour;
  for (const { fromS, toS } of shades) {
    const within = (atS: number): number =>
      Math.min(bbox.left + bbox.width, Math.max(bbox.left, plot.valToPos(atS, 'x', true)));
    ctx.fillRect(within(fromS), bbox.top, within(toS) - within(fromS), bbox.height);
  }
  ctx.restore();
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
    value: (_plot, value: number | null) => (value === null ? PAGE.nothing : format(value)),
    ...(paths === undefined ? {} : { paths }),
  };
}

/** A colour as a canvas understands it: `light-dark()` is resolved by an element that uses it. */
export function resolved(box: HTMLElement, styles: CSSStyleDeclaration, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  box.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color === '' ? styles.color : color;
}
