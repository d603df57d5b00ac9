import { readFileSync } from 'node:fs';
import { adminUrl } from '../../ops/admin-controls.ts';
import type { ConfigSources } from './load.ts';

/** The defaults of `ops.host` and `ops.port`. */
const DEFAULTS = { host: '127.0.0.1', port: 9464 };

/** A value of the two settings; anything else needs the whole configuration, which reports the fault. */
interface AdminAddress {
  host: string;
  port: number;
}

/**
 * The address of the admin interface, read from the sources of a configuration without the rest of it. The whole configuration
 * takes half a second to load, which a kill does not have. Null if only the whole configuration can tell.
 */
export async function quickAdminUrl({ files, environment, settings }: ConfigSources): Promise<string | null> {
  const address: AdminAddress = { ...DEFAULTS };
  for (const file of files) if (!take(address, await opsIn(file))) return null;
  const port = environment['TOUCHLINE_OPS_PORT'] ?? '';
  if (port !== '' && !take(address, { port: numberIn(port) })) return null;
  for (const [key, text] of Object.entries(settings)) {
    const isTaken =
      key === 'ops.port' ? take(address, { port: numberIn(text) }) : takeFlag(address, key, text);
    if (!isTaken) return null;
  }
  return adminUrl(address.host, address.port);
}

/** Returns false if a value is none that these settings can have. */
function take(address: AdminAddress, ops: unknown): boolean {
  if (ops === undefined) return true;
  if (typeof ops !== 'object' || ops === null) return false;
  const { host = address.host, port = address.port } = ops as Partial<Record<keyof AdminAddress, unknown>>;
  if (typeof host !== 'string' || host.trim() === '') return false;
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 0 || port > 65_535) return false;
  Object.assign(address, { host, port });
  return true;
}

/** Another setting does not matter here, as long as its key looks like one. */
function takeFlag(address: AdminAddress, key: string, text: string): boolean {
  if (key === 'ops.host') return take(address, { host: text });
  if (key === 'ops' || key.startsWith('ops.')) return key === 'ops.killFile';
  return /^[a-z]+(\.\w+)*$/i.test(key);
}

const numberIn = (text: string): number => (/^\d+$/.test(text) ? Number(text) : NaN);

async function opsIn(file: string): Promise<unknown> {
  try {
    const { parse } = await import('smol-toml');
    return parse(readFileSync(file, 'utf8'))['ops'];
  } catch {
    return null;
  }
}
