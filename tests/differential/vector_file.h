// Scenarios with their outcome, as files: tests/differential/vectors/*.json.
#pragma once

#include <filesystem>
#include <vector>

#include "tests/differential/scenario.h"

namespace sluice::testing {

struct TestVector {
  Scenario scenario;
  Outcome expected;
};

// Throws std::runtime_error with the file's name and the field at fault.
TestVector load_vector(const std::filesystem::path& file);
std::string vector_text(const TestVector& vector);

}  // namespace sluice::testing
