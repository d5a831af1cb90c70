/** A share of the attacks and honest submissions (testing/shared-attacks.ts says which). */
import { tryShareOfAttacks } from './testing/shared-attacks.ts';

tryShareOfAttacks(import.meta.filename);
