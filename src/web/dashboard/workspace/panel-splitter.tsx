import type { JSX } from 'preact';
import { Splitter } from '../../components/splitter.tsx';
import { type SizeName, SIZES } from './sizes.ts';
import type { Sizes } from './use-sizes.ts';

interface PanelSplitterProps {
  readonly name: SizeName;
  readonly label: string;
  readonly sizes: Sizes;
}

/** The bar that resizes a panel: the side by its left edge, the others by their lower one. */
export function PanelSplitter({ name, label, sizes }: PanelSplitterProps): JSX.Element {
  const { least, most } = SIZES[name];
  const isSide = name === 'side';
  return (
    <Splitter
      label={label}
      lies={isSide ? 'upright' : 'flat'}
      isBefore={isSide}
      value={sizes.of[name]}
      least={least}
      most={most}
      stepPx={pixelsOf(isSide ? '--unit' : '--row')}
      onChange={(value) => sizes.set(name, value)}
    />
  );
}

const pixelsOf = (token: string): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(token));
