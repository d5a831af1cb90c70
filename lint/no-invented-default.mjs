/**
 * `x ?? 0` and `x ?? ''` in the place of something that was lost are plausible wrong answers. What must be there is
 * taken by `entryAt`, `lastOf` or `present` of src/core/entry.ts, what may be missing by `orZero`, `orNothing` or
 * `countOf`. Typed arrays are let through: inside their length they have a number everywhere.
 */
const TYPED_ARRAY =
  /^(?:(?:Ui|I)nt(?:8|16|32)|Float(?:32|64)|Big(?:Ui|I)nt64|Uint8Clamped)Array\b|^(?:NonShared)?Buffer\b/;

function isInvented(node) {
  return node.type === 'Literal' && (node.value === 0 || node.value === '' || node.bigint === '0');
}

export const noInventedDefault = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      invented:
        'A default that nothing was asked for. Take what must be there by entryAt, lastOf or present, and what may be missing by orZero, orNothing or countOf (src/core/entry.ts).',
    },
  },
  create(context) {
    const services = context.sourceCode.parserServices;
    const checker = services.program.getTypeChecker();
    const isTypedArray = (node) => TYPED_ARRAY.test(checker.typeToString(services.getTypeAtLocation(node)));
    const check = (node) => {
      if (!isInvented(node.right)) return;
      if (node.left.type === 'MemberExpression' && node.left.computed && isTypedArray(node.left.object))
        return;
      context.report({ node: node.right, messageId: 'invented' });
    };
    return {
      "LogicalExpression[operator='??']": check,
      "AssignmentExpression[operator='??=']": check,
    };
  },
};
