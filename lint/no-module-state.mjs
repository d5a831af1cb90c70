/**
 * State of a module is state that nobody owns: two servers in one process share it, a test sees what another left, and
 * nothing closes it. It belongs to an object, or to a service of src/operations/definition/services.ts. Reported
 * are, of a module or as static members of a class:
 * - `let` and `var`;
 * - a collection that is made empty or may be changed by whoever imports it, unless its type is read-only;
 * - anything of which a function of the module sets a property, or which it changes as a collection is changed.
 * A table that the module fills while it loads is none: nothing changes it afterwards. Nor is where a sticky pattern is
 * to look (`lastIndex`): it is said before each look. What is hidden in a closure or in an instance of a class is not
 * seen.
 */
const COLLECTIONS = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'Array']);
const READ_ONLY = /^(?:Readonly(?:Map|Set|Array)?|Promise)$/;
const CHANGES = new Set(
  'set add delete clear push pop shift unshift splice sort reverse fill copyWithin'.split(' '),
);

/** What stands behind `as const`, `satisfies T` and the like. */
function plain(node) {
  const wrapped = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSTypeAssertion']);
  return node != null && wrapped.has(node.type) ? plain(node.expression) : node;
}

function isEmptyCollection(made) {
  if (made.type === 'ArrayExpression') return made.elements.length === 0;
  return made.type === 'NewExpression' && COLLECTIONS.has(made.callee.name) && made.arguments.length === 0;
}

function isCollection(made) {
  if (made.type === 'ArrayExpression') return true;
  return made.type === 'NewExpression' && COLLECTIONS.has(made.callee.name);
}

function isReadOnly(identifier, value) {
  if (value.type === 'TSAsExpression' && value.typeAnnotation.typeName?.name === 'const') return true;
  const type = identifier.typeAnnotation?.typeAnnotation;
  if (type === undefined) return false;
  if (type.type === 'TSTypeOperator') return type.operator === 'readonly';
  return type.type === 'TSTypeReference' && READ_ONLY.test(type.typeName.name);
}

/** Whether the reference stands where what it names is changed. */
function isChanged({ identifier }) {
  let place = identifier;
  while (place.parent.type === 'MemberExpression' && place.parent.object === place) {
    const member = place.parent;
    if (member.parent.type === 'CallExpression' && member.parent.callee === member)
      return place === identifier && !member.computed && CHANGES.has(member.property.name);
    if (!member.computed && member.property.name === 'lastIndex') return false;
    place = member;
  }
  if (place === identifier) return false;
  const { parent } = place;
  return (
    (parent.type === 'AssignmentExpression' && parent.left === place) ||
    parent.type === 'UpdateExpression' ||
    (parent.type === 'UnaryExpression' && parent.operator === 'delete')
  );
}

export const noModuleState = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      state:
        '{{name}} is state of the module, which nobody owns. Give it to the object that it belongs to, or to a service (src/operations/definition/services.ts).',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const report = (node, name) => context.report({ node, messageId: 'state', data: { name } });
    const checkConstant = (declarator, exported) => {
      const [variable] = sourceCode.getDeclaredVariables(declarator);
      const made = plain(declarator.init);
      if (made == null || declarator.id.type !== 'Identifier') return;
      const changes = variable.references.filter(isChanged);
      const isOfLoading = ({ from }) => from.variableScope === variable.scope.variableScope;
      const open = isCollection(made) && !isReadOnly(declarator.id, declarator.init);
      const waits = isEmptyCollection(made) && changes.length === 0;
      if (!changes.every(isOfLoading) || (open && (exported || waits))) report(declarator, variable.name);
    };
    const checkDeclaration = (declaration, exported) => {
      if (declaration.declare) return;
      for (const declarator of declaration.declarations)
        if (declaration.kind === 'const') checkConstant(declarator, exported);
        else for (const { name } of sourceCode.getDeclaredVariables(declarator)) report(declarator, name);
    };
    return {
      'Program > VariableDeclaration': (node) => checkDeclaration(node, false),
      'Program > ExportNamedDeclaration > VariableDeclaration': (node) => checkDeclaration(node, true),
      'PropertyDefinition[static=true]': (node) => {
        const made = plain(node.value);
        const name = sourceCode.getText(node.key);
        if (!node.readonly || (made != null && isCollection(made) && !isReadOnly(node, node.value)))
          report(node, name);
      },
    };
  },
};
