import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../support/exchange.ts';
import { adminOf } from '../support/place.ts';
import { touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const [CERTIFICATE, KEY] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')];
const ON_EVERY_ADDRESS = ['--set', 'admin.host=0.0.0.0'];

it('serves the admin interface to other machines over TLS alone, with a certificate of its own', async () => {
  const refused = await touchline(['start', '--for', '1s', ...ON_EVERY_ADDRESS]).exit;
  expect([refused.code, refused.stderr]).toEqual([78, expect.stringContaining('admin.certFile')]);
  const subject = ['-subj', '/CN=touchline', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const made = spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    ...subject,
    '-out',
    CERTIFICATE,
    '-keyout',
    KEY,
  ]);
  expect(made.status, String(made.stderr)).toBe(0);
  const files = ['--set', `admin.certFile=${CERTIFICATE}`, '--set', `admin.keyFile=${KEY}`];
  const daemon = touchline(['start', '--json', ...ON_EVERY_ADDRESS, ...files]);
  const admin = new URL(await adminOf(daemon));
  expect(admin.protocol).toBe('https:');
  const url = `https://127.0.0.1:${admin.port}`;
  const trusting = { NODE_EXTRA_CA_CERTS: CERTIFICATE };
  const status = await touchline(['status', '--json', '--url', url], trusting).exit;
  expect([status.code, JSON.parse(status.stdout)]).toMatchObject([0, { mode: 'simulated' }]);
  // Without trust in the certificate, and without TLS, no token leaves.
  for (const [where, environment] of [
    [url, {}],
    [`http://127.0.0.1:${admin.port}`, trusting],
  ] as const) {
    const { code, stderr } = await touchline(['status', '--url', where], environment).exit;
    expect([code, stderr]).toEqual([69, expect.stringContaining('no daemon answers')]);
  }
  daemon.kill('SIGTERM');
  expect((await daemon.exit).code).toBe(0);
});
