import { systemClock } from '../../src/app/adapters/system-clock.ts';
import type { AdminControls, Kill } from '../../src/ops/admin-controls.ts';
import { type AdminServer, type AdminSources, startAdminServer } from '../../src/ops/admin-server.ts';

/** Ignores a reason that arrives after a kill. */
export const unexplained = (answer: object = {}): Kill => ({
  explain: () => undefined,
  answer: () => answer,
});

/** Controls that can do only this. */
export const controlsWith = (controls: Partial<AdminControls>): AdminControls => ({
  ...{
    kill: () => unexplained(),
    resume: () => null,
    setState: () => null,
    why: () => null,
    risk: () => null,
  },
  ...controls,
});

const probe = () => ({ ok: true, reasons: [] });

/** The answers of a server whose daemon can do nothing. */
export const IDLE: AdminSources = {
  health: probe,
  ready: probe,
  metrics: () => Promise.resolve({ contentType: 'text/plain; version=0.0.4', text: 'up 1\n' }),
  status: () => ({ mode: 'simulated' }),
  clock: systemClock,
};

/** The answers that commands find at the address of a daemon that can do only this. */
export function adminServing(controls: Partial<AdminControls>, port = 0): Promise<AdminServer> {
  return startAdminServer('127.0.0.1', port, { ...IDLE, controls: controlsWith(controls) });
}
