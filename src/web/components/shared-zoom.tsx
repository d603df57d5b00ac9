import { createContext, type JSX } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { Span } from './zoom.ts';

/** What charts show of their time. */
interface ZoomChoice {
  /** Wall-clock seconds; null: everything, and what comes. */
  readonly span: Span | null;
  readonly choose: (span: Span | null) => void;
}

const Shared = createContext<ZoomChoice | null>(null);

/** All charts within show the same stretch of time: a zoom in one is a zoom in each. */
export const SharedZoom = ({ children }: { readonly children: JSX.Element }): JSX.Element => (
  <Shared.Provider value={useOwnZoom()}>{children}</Shared.Provider>
);

function useOwnZoom(): ZoomChoice {
  const [span, choose] = useState<Span | null>(null);
  return { span, choose };
}

/** The zoom of a chart: the shared one, or its own. */
export function useZoom(): ZoomChoice {
  const own = useOwnZoom();
  return useContext(Shared) ?? own;
}
