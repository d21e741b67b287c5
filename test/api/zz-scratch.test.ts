import { readFileSync } from 'node:fs';
import net from 'node:net';
import http from 'node:http';
import { expect, it } from 'vitest';
import { schemaFiles } from '../support/schema-files.ts';
import { useProject } from '../support/served-project.ts';
const api = useProject('sqlite', { files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }), env: { LECTERN_PROFILE: 'specification' } });
const hwm = () => /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${api.server.pid}/status`, 'utf8'))?.[1];
it('rss', async () => {
  console.log('before', hwm());
  const head = '--x\r\nContent-Disposition: form-data; name="files"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n';
  const tail = '\r\n--x--\r\n';
  const chunk = Buffer.alloc(1 << 20, 65);
  const t = performance.now();
  const status = await new Promise((resolve, reject) => {
    const req = http.request({ port: api.server.port, host: '127.0.0.1', method: 'POST', path: '/api/upload', headers: { ...api.authorization('full'), 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': head.length + tail.length + 200 * chunk.length } }, (res) => { let s=''; res.on('data', d => s += d); res.on('end', () => resolve(res.statusCode + s.slice(0,300))); });
    req.on('error', reject);
    req.write(head);
    let n = 0;
    const more = () => { while (n < 200) { n++; if (!req.write(chunk)) { req.once('drain', more); return; } } req.end(tail); };
    more();
  });
  console.log(status, 'after', hwm(), performance.now() - t, 'ms');
});
it('slow header', async () => {
  const t = performance.now();
  const s = await new Promise<string>((resolve) => {
    let got = '';
    const socket = net.connect(api.server.port, '127.0.0.1', () => { socket.write('POST /api/upload HTTP/1.1\r\nHost: x\r\n'); });
    const timer = setInterval(() => socket.write('A: b\r\n'), 1000);
    socket.on('data', (d) => { got += d; });
    socket.on('error', () => undefined);
    socket.on('close', () => { clearInterval(timer); resolve(got); });
  });
  console.log('header', performance.now() - t, s.slice(0, 200));
});
