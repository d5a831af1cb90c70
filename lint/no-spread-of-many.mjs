/**
 * No list is spread into the arguments of a call that takes any number of them: arguments lie on the stack, and the
 * messages of one tactic can be more than it has room for. `appendAll`, `greatestOf` and `leastOf` (src/core/lists/many.ts)
 * take lists of any length.
 */

const TAKES_MANY = /^(?:push|unshift|splice|toSpliced|concat|fromCharCode|fromCodePoint)$/u;

function takesMany({ type, object, property, computed }) {
  if (type !== 'MemberExpression' || computed) return false;
  return TAKES_MANY.test(property.name) || (object.name === 'Math' && /^(?:max|min)$/u.test(property.name));
}

export const noSpreadOfMany = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      many: 'A long list overflows the stack here: appendAll, greatestOf or leastOf of src/core/lists/many.ts.',
    },
  },
  create: (context) => ({
    'CallExpression > SpreadElement': (node) => {
      if (takesMany(node.parent.callee)) context.report({ node, messageId: 'many' });
    },
  }),
};
