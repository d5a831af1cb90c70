/**
 * No sentence is put together from a message and a dot: messages of errors end with one mostly, and then there are two.
 * What was said goes through `clause` (src/core/sentence.ts).
 */

const SAYS = /^(?:errorText|systemFault|jsonFault|prettifyError)$/u;

/** Whether the text of the expression ends with what somebody else said. */
function isSaid(node) {
  switch (node.type) {
    case 'Identifier':
      return node.name === 'message';
    case 'MemberExpression':
      return isSaid(node.property);
    case 'ChainExpression':
      return isSaid(node.expression);
    case 'LogicalExpression':
      return isSaid(node.left) || isSaid(node.right);
    case 'ConditionalExpression':
      return isSaid(node.consequent) || isSaid(node.alternate);
    case 'TemplateLiteral':
      return node.quasis.at(-1).value.raw === '' && isSaid(node.expressions.at(-1));
    case 'CallExpression': {
      const { type, property, object, name } = node.callee;
      if (type !== 'MemberExpression') return SAYS.test(name);
      return SAYS.test(property.name) || (property.name === 'join' && object.name === 'faults');
    }
    default:
      return false;
  }
}

export const noSecondDot = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { second: 'What is said here may end with a dot itself: clause(…) of src/core/sentence.ts.' },
  },
  create: (context) => ({
    TemplateLiteral({ expressions, quasis }) {
      for (const [index, expression] of expressions.entries())
        if (/^\.(?!\S)/u.test(quasis[index + 1].value.cooked) && isSaid(expression))
          context.report({ node: expression, messageId: 'second' });
    },
  }),
};
