import { createCoqidetop, findCoqidetop } from '../coqidetop/adapter.ts';
import { createPetanque, findPetanque } from '../petanque/adapter.ts';
import { describeFaults } from './faults.ts';

describeFaults({
  name: 'coqidetop',
  executable: findCoqidetop(),
  open: (executable) => createCoqidetop({ executable }),
  module: new URL('../coqidetop/adapter.ts', import.meta.url),
  factory: 'createCoqidetop',
  garbage: [
    'Segmentation fault',
    '<value val="good"></wrong>',
    '\\377\\376',
    '<value val="maybe"/>',
    '</value>',
  ],
});

describeFaults({
  name: 'petanque',
  executable: findPetanque(),
  open: (executable) => createPetanque({ executable }),
  module: new URL('../petanque/adapter.ts', import.meta.url),
  factory: 'createPetanque',
  garbage: [
    'Segmentation fault',
    'Content-Length: x\\r\\n\\r\\n',
    'Content-Length: 2\\r\\n\\r\\n{}',
    'Content-Length: 2\\r\\n\\r\\n\\377\\376',
    'Content-Length: 22\\r\\n\\r\\n{"id":99,"result":null}',
  ],
});
