/** A debugger that Node serves gives every user of the machine who reaches its port the API key and the daemon. */
import { url } from 'node:inspector';
import process from 'node:process';

/** What tells whether Node serves a debugger. */
export interface DebuggerSigns {
  /** Its address; undefined if none is open. */
  readonly url: string | undefined;
  /** The environment variable NODE_OPTIONS. */
  readonly nodeOptions: string;
  /** The options of Node on the command line. */
  readonly options: readonly string[];
}

/** Options that open a debugger. Those that only say where it would be do not. Node takes `_` for `-`. */
const OPENS =
  /(?:^|["'\s])(--(?:inspect(?:[-_](?:brk|wait|brk[-_]node))?|debug(?:[-_]brk)?)(?:=[^"'\s]*)?)(?=$|["'\s])/;

/** What opened a debugger in this process, or would in another; null if nothing does. */
export function debuggerOpenedBy(signs: DebuggerSigns = signsHere()): string | null {
  const inVariable = OPENS.exec(signs.nodeOptions)?.[1];
  if (inVariable !== undefined) return `NODE_OPTIONS has ${inVariable}`;
  const inOptions = signs.options.map((option) => OPENS.exec(option)?.[1]).find((each) => each !== undefined);
  if (inOptions !== undefined) return `Node was started with ${inOptions}`;
  return signs.url === undefined ? null : `Node serves one at ${new URL(signs.url).host}`;
}

const signsHere = (): DebuggerSigns => ({
  url: url(),
  nodeOptions: process.env['NODE_OPTIONS'] ?? '',
  options: process.execArgv,
});
