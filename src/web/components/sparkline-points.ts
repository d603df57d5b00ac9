/** The box that a sparkline fills. */
export const SPARKLINE = { width: 48, height: 16 } as const;

/** The points of a line from the first value at the left to the last at the right, as high as the box. Nothing unless two values differ. */
export function pointsOf(values: readonly number[]): string {
  const { width, height } = SPARKLINE;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (values.length < 2 || least === most) return '';
  const x = (at: number): string => ((width * at) / (values.length - 1)).toFixed(1);
  const y = (value: number): string => (1 + ((height - 2) * (most - value)) / (most - least)).toFixed(1);
  return values.map((value, at) => `${x(at)},${y(value)}`).join(' ');
}
