import { test } from 'vitest';
import { openWorld, withKit } from '../support/kit.ts';
import { dieAt } from './death.ts';
withKit('life', (kit) => {
  test('dies', async () => {
    for (const kind of ['SessionStarted','TurnStarted', 'StepDone', 'UserInput user held', 'PermissionDecided deny by abandoned']) {
      const t = performance.now();
      await dieAt(kit, { kind, nth: 1 }).then(() => 'fine', (e) => e.message).then((r) => console.log(kind, Math.round(performance.now() - t), r));
    }
  }, 60_000);
});
