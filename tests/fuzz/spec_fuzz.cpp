// The reader of .spec text: any bytes give a program or an error that names a line.
#include "dataplane/p4/spec/reader.h"

#include "tests/fuzz/fuzz.h"

namespace sluice::fuzz {
namespace {

void check_spec(Bytes in) {
  const Exact exact(in);
  const auto program =
      p4::spec::read({reinterpret_cast<const char*>(exact.bytes.data()), exact.bytes.size()}, "x");
  if (program)
    require(!program->apply.empty(), "a program without instructions");
  else
    require(program.error().text.starts_with("x:"), "an error without its place");
}

}  // namespace
}  // namespace sluice::fuzz

FUZZ_TARGET(sluice::fuzz::check_spec)
