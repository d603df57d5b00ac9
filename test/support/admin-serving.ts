import type { AdminControls } from '../../src/ops/admin-controls.ts';
import { type AdminServer, startAdminServer } from '../../src/ops/admin-server.ts';

const NONE: AdminControls = {
  ...{ kill: () => null, resume: () => null, setState: () => null, why: () => null, risk: () => null },
};

/** What commands find at the address of a daemon that can do nothing but this. */
export function adminServing(controls: Partial<AdminControls>, port = 0): Promise<AdminServer> {
  const probe = () => ({ ok: true, reasons: [] });
  const metrics = async () => ({ contentType: 'text/plain', text: '' });
  const sources = { health: probe, ready: probe, metrics, status: () => null };
  return startAdminServer('127.0.0.1', port, { ...sources, controls: { ...NONE, ...controls } });
}
