"""What the packages promise: public names, layers, docstrings, and what a wheel holds."""

import ast
import importlib
import pkgutil
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("balance", "kernels", "reports")
ALLOWED = {
    "kernels": {"kernels", "numba", "numpy", "llvmlite"},
    "reports": {"reports", "pandas", "numpy", "matplotlib", "jinja2", "markupsafe", "rich"},
    "balance": {
        *PACKAGES,
        *(
            "annotated_types",
            "cmaes",
            "numpy",
            "pandas",
            "pyarrow",
            "pydantic",
            "rich",
            "ruamel",
            "scipy",
        ),
        "typer",
    },
}
HEAVY = {"matplotlib", "pandas", "pyarrow", "scipy"}


def module_names() -> list[str]:
    names = []
    for package in PACKAGES:
        names.append(package)
        found = pkgutil.walk_packages([str(ROOT / package)], f"{package}.")
        names.extend(module.name for module in found)
    return names


def source(name: str) -> Path:
    path = ROOT.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def tree(name: str) -> ast.Module:
    return ast.parse(source(name).read_text("utf-8"))


def imported(nodes: Iterator[ast.AST]) -> set[str]:
    """The top-level packages that these nodes import, the standard library left out."""
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            found.add((node.module or "").split(".")[0])
    return found - set(sys.stdlib_module_names)


def at_the_top(module: ast.Module) -> Iterator[ast.AST]:
    """What runs at import: not the bodies of functions, not `if TYPE_CHECKING`."""
    waiting: list[ast.AST] = list(module.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        yield node
        waiting.extend(ast.iter_child_nodes(node))


NAMES = module_names()


@pytest.mark.parametrize("name", NAMES)
def test_public_names_exist(name: str) -> None:
    module = importlib.import_module(name)
    public = getattr(module, "__all__", [])
    assert len(set(public)) == len(public)
    for one in public:
        assert hasattr(module, one), f"{name}.{one}"


@pytest.mark.parametrize("name", NAMES)
def test_imports_stay_in_the_layer(name: str) -> None:
    package = name.split(".")[0]
    assert imported(ast.walk(tree(name))) <= ALLOWED[package]


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("balance")])
def test_heavy_libraries_are_imported_where_they_are_used(name: str) -> None:
    assert not imported(at_the_top(tree(name))) & HEAVY


@pytest.mark.parametrize("name", NAMES)
def test_modules_and_what_is_public_have_docstrings(name: str) -> None:
    module = tree(name)
    assert ast.get_docstring(module), f"{name} has no docstring"
    assert list(undocumented(module.body, importlib.import_module(name))) == []


def undocumented(body: list[ast.stmt], owner: ModuleType | type) -> Iterator[str]:
    """Public names without a docstring; what a base class has is documented there."""
    for node in body:
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) or node.name.startswith("_"):
            continue
        inherited = any(hasattr(base, node.name) for base in getattr(owner, "__bases__", ()))
        if not ast.get_docstring(node) and not inherited:
            yield f"{owner.__name__}.{node.name}"
        if isinstance(node, ast.ClassDef):
            yield from undocumented(node.body, getattr(owner, node.name))


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_says_what_it_may_import(package: str) -> None:
    module: ModuleType = importlib.import_module(package)
    assert module.__doc__ is not None
    assert "import" in module.__doc__


def test_the_version_is_that_of_the_project() -> None:
    import tomllib

    import balance

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert balance.__version__ == project["version"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of the files in a fresh wheel."""
    from hatchling.builders.wheel import WheelBuilder

    folder = tmp_path_factory.mktemp("wheel")
    (built,) = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    with zipfile.ZipFile(built) as archive:
        return set(archive.namelist())


def test_a_wheel_holds_the_packages_with_scenarios_and_templates(wheel: set[str]) -> None:
    assert "balance/scenarios/burgle/advanced_missions.yaml" in wheel
    assert "reports/templates/report.html" in wheel
    for name in NAMES:
        assert source(name).relative_to(ROOT).as_posix() in wheel


def test_a_wheel_holds_nothing_else(wheel: set[str]) -> None:
    tops = {name.split("/")[0] for name in wheel}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)
    assert not [name for name in wheel if "test" in name or "__pycache__" in name]
