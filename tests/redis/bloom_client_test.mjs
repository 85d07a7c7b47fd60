// All commands through npm's `redis` with `@redis/bloom`, in RESP3 and RESP2.
//
//   node bloom_client_test.mjs PORT NODE_MODULES

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

const [port, modules] = process.argv.slice(2);
const require = createRequire(modules + '/');
const { createClient } = require('redis');

async function bloom(client, yes, no) {
  const { bf } = client;
  assert.equal(await bf.reserve('b', 0.01, 1000, { EXPANSION: 4 }), 'OK');
  assert.equal(await bf.add('b', 'x'), yes);
  assert.equal(await bf.add('b', 'x'), no);
  assert.deepEqual(await bf.mAdd('b', ['x', 'y']), [no, yes]);
  assert.deepEqual(
    await bf.insert('i', ['1', '2'], { CAPACITY: 50, ERROR: 0.1 }), [yes, yes]);
  assert.equal(await bf.exists('b', 'y'), yes);
  assert.equal(await bf.exists('missing', 'y'), no);
  assert.deepEqual(await bf.mExists('b', ['x', 'never']), [yes, no]);
  assert.equal(await bf.card('b'), 2);
  const info = await bf.info('b');
  assert.equal(info['Capacity'], 1000);
  assert.equal(info['Number of filters'], 1);
  assert.equal(info['Number of items inserted'], 2);
  assert.equal(info['Expansion rate'], 4);
}

async function cuckoo(client, yes, no) {
  const { cf } = client;
  assert.equal(await cf.reserve('c', 1000,
    { BUCKETSIZE: 4, MAXITERATIONS: 30, EXPANSION: 2 }), 'OK');
  assert.equal(await cf.add('c', 'x'), yes);
  assert.equal(await cf.addNX('c', 'x'), no);
  assert.deepEqual(await cf.insert('c', ['x', 'y']), [yes, yes]);
  assert.deepEqual(await cf.insertNX('c', ['x', 'z']), [0, 1]);
  assert.equal(await cf.exists('c', 'z'), yes);
  assert.equal(await cf.count('c', 'x'), 2);
  assert.equal(await cf.del('c', 'x'), yes);
  assert.equal(await cf.count('c', 'x'), 1);
  const info = await cf.info('c');
  assert.equal(info['Number of items inserted'], 3);
  assert.equal(info['Number of items deleted'], 1);
  assert.equal(info['Bucket size'], 4);
  assert.equal(info['Max iterations'], 30);
}

// Chunks are bytes: the client must be told so.
async function chunks(client) {
  const { RESP_TYPES } = require('redis');
  const raw = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
  for (const [family, from] of [['bf', 'b'], ['cf', 'c']]) {
    let iterator = 0;
    for (let i = 0; i < 100; ++i) {
      const reply = await raw[family].scanDump(from, iterator);
      iterator = reply.iterator;
      if (iterator === 0) break;
      assert.equal(String(await raw[family].loadChunk(
        from + '2', iterator, reply.chunk)), 'OK');
    }
    assert.equal(iterator, 0);
    assert.deepEqual(await client[family].info(from + '2'),
      await client[family].info(from));
  }
}

for (const RESP of [3, 2]) {
  const client = createClient({ url: `redis://127.0.0.1:${port}`, RESP });
  await client.connect();
  await client.flushAll();
  // In RESP2 the client itself makes booleans of 0 and 1.
  await bloom(client, true, false);
  await cuckoo(client, true, false);
  await chunks(client);
  if (RESP === 3) {
    const raw = (...words) => client.sendCommand(words);
    assert.equal(await raw('AF.RESERVE', 'a'), 'OK');
    assert.equal(await raw('AF.ADD', 'a', 'x'), 1);
    assert.equal(await raw('AF.EXISTS', 'a', 'x'), true);
    assert.equal(await raw('AF.QUERY', 'a', 'never'), null);
    assert.equal((await raw('AF.QUERY', 'a', 'x')).length, 3);
    assert.equal(typeof (await raw('CF.INFO', 'c'))
      ['Expected false positive rate'], 'number');
    assert.equal(await raw('BF.INFO', 'b', 'ITEMS').then((r) => r[0]), 2);
  }
  client.destroy();
}
console.log('node: ok');
