import type { ComponentChildren, JSX } from 'preact';

interface FigureProps {
  readonly name: string;
  readonly value: string;
  /** The sign decides the colour; null for none. */
  readonly sign?: number | null;
  readonly children?: ComponentChildren;
}

/** The class of a value by its sign. The sign is also in the text: colour alone tells nothing. */
export function toneOf(sign: number | null | undefined): string {
  if (sign === null || sign === undefined || sign === 0) return '';
  return sign > 0 ? 'good' : 'bad';
}

/** One number with its name and a remark. */
export function Figure({ name, value, sign, children }: FigureProps): JSX.Element {
  return (
    <div class="figure">
      <div class="quiet">{name}</div>
      <div class={`value ${toneOf(sign)}`}>{value}</div>
      <div class="quiet">{children}</div>
    </div>
  );
}
