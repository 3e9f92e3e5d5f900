#include <nanobind/nanobind.h>
namespace nb = nanobind;
void bind_points(nb::module_ &m) { m.attr("placeholder") = 1; }
