import { spawn } from 'node:child_process';
import process from 'node:process';
import type { RunConsole } from '../run/run-signals.ts';

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

const BY_HAND = 'open the address by hand';

/** Why no browser can be opened here; null if one may. `BROWSER` may name a program that needs no display. */
export function noBrowserBecause(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | null {
  if (OPENERS[platform] !== undefined) return null;
  const { DISPLAY = '', WAYLAND_DISPLAY = '', BROWSER = '' } = environment;
  if (DISPLAY !== '' || WAYLAND_DISPLAY !== '' || BROWSER !== '') return null;
  return `no browser can be opened, because there is no display: ${BY_HAND}`;
}

/** Opens an address in the person's browser. `onFailure` gets the reason, in words, if that fails; the address is printed, too. */
export function openBrowser(url: string, onFailure: (why: string) => void): void {
  const reason = noBrowserBecause(process.env, process.platform);
  if (reason !== null) {
    onFailure(reason);
    return;
  }
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  opener.on('error', () =>
    onFailure(`no browser can be opened, because ${program} does not run: ${BY_HAND}`),
  );
  opener.on('exit', (code) => {
    if (code !== 0 && code !== null)
      onFailure(`${program} opened no browser (exit code ${code}): ${BY_HAND}`);
  });
  opener.unref();
}

/** Shows a person at this console the way to the dashboard, and opens it if they asked for that. */
export const dashboardShown =
  (console: Pick<RunConsole, 'dashboard' | 'logger'>, opens: boolean): ((link: string) => void) =>
  (link) => {
    console.dashboard(link);
    if (opens) openBrowser(link, (why) => console.logger.warn('no browser is opened', { why }));
  };
