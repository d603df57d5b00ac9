import { readFileSync } from 'node:fs';
import { isLoopback, urlOf } from '../../ops/addresses.ts';
import type { ConfigSources } from '../config/load.ts';

/** The defaults of `admin.host` and `admin.port`. */
const DEFAULTS = { host: '127.0.0.1', port: 9465 };

/** Settings of the admin interface that do not change its address. */
const BESIDE = ['admin.hosts', 'admin.tokens', 'admin.keyFile', 'admin.behindProxy'];

/** Values of these settings; anything else needs the whole configuration, which reports the fault. */
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
  for (const file of files) if (!take(address, await adminIn(file))) return null;
  const port = environment['TOUCHLINE_ADMIN_PORT'] ?? '';
  if (port !== '' && !take(address, { port: numberIn(port) })) return null;
  for (const [key, text] of Object.entries(settings)) {
    const isTaken =
      key === 'admin.port' ? take(address, { port: numberIn(text) }) : takeFlag(address, key, text);
    if (!isTaken) return null;
  }
  // For other machines the configuration has to have more, which only the whole of it shows.
  return isLoopback(address.host) ? urlOf('http', address) : null;
}

/** Returns false if a value is none that these settings can have. */
function take(address: AdminAddress, admin: unknown): boolean {
  if (admin === undefined) return true;
  if (typeof admin !== 'object' || admin === null) return false;
  const given = admin as Partial<Record<keyof AdminAddress | 'certFile', unknown>>;
  const { host, port, certFile = '' } = { ...address, ...given };
  if (typeof host !== 'string' || host.trim() === '') return false;
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 0 || port > 65_535) return false;
  // A certificate needs a key, which only the whole configuration checks.
  if (certFile !== '') return false;
  Object.assign(address, { host, port });
  return true;
}

/** Another setting does not matter here, as long as its key looks like one. */
function takeFlag(address: AdminAddress, key: string, text: string): boolean {
  if (key === 'admin.host') return take(address, { host: text });
  if (key === 'admin' || key.startsWith('admin.')) return BESIDE.includes(key);
  return /^[a-z]+(\.\w+)*$/i.test(key);
}

const numberIn = (text: string): number => (/^\d+$/.test(text) ? Number(text) : NaN);

async function adminIn(file: string): Promise<unknown> {
  try {
    const { parse } = await import('smol-toml');
    return parse(readFileSync(file, 'utf8'))['admin'];
  } catch {
    return null;
  }
}
